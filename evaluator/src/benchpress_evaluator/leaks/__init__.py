"""Looking for what must not have left: canaries, secrets, item ids, parameters and prompts of sealed versions."""
