"""Multiple-choice forms of causal items: one part of a problem as the question, typical mistakes as the other options.

`focal` says which parts are asked, `mistakes` what a solver gets wrong about them and `said` how that is put in words,
`selecting` which wrong answers are offered so that no shallow rule finds the right one, `written` how values are
printed; `form` puts it together and `page` shows it.
"""
