"""The commands of the generator. Each file is imported only when one of its commands is called."""
