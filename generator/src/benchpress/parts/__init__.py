"""One file a part type: how a kind of answer is read and scored. Standard library only."""
