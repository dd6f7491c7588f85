"""What one more experiment is worth: from belief to the next intervention."""
