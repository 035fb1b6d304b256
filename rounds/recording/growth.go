package recording

// Growth is the number of facts of a relation over all rounds, at the end of an
// evaluation or when it was stopped.
type Growth struct {
	Relation string `json:"relation"` // its name
	Facts    int    `json:"facts"`    // the number of its facts
}
