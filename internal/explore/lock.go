package explore

// Lock is an assumption about faults or facts, as questions for hypotheses take it.
type Lock struct {
	Text string // a pattern over faults, or a fact
	Must bool   // something that matches happens; otherwise nothing does
}
