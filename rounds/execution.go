package rounds

// Execution is what happened under one schedule.
type Execution struct {
	Bounds   Bounds
	Schedule Schedule  // in normal form
	Facts    []Fact    // sorted, each once
	Messages []Message // sorted, each once
}
