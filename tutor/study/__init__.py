"""Practice from the notes: cards made of blocks, when to see them again, exams, export to Anki.

Everything here works without a language model, and every card of the notes names its page.
"""
