"""Multiple-choice questions: public sets brought into one form, and multiple-choice forms of causal items."""
