"""What the app is about, without anything of how it is shown: nothing here knows of Textual."""
