package asynchrony

// Reach says whether a certificate holds for asynchronous executions too.
type Reach struct {
	Shown     bool       `json:"shown"`               // what holds in lock-step rounds holds in asynchronous executions too
	Text      string     `json:"text"`                // a sentence
	Condition *Condition `json:"condition,omitempty"` // one that is not shown to be met
}

// Sentence is what follows where all conditions are met.
const Sentence = "and so under every asynchronous execution within these bounds, where a message that comes late counts as lost"

// ReachOf returns what follows from conditions: the sentence if all that it needs are
// met, or else the first that is not, one that is known to fail before one that is not
// known to be met.
func ReachOf(conditions []Condition) *Reach {
	for _, missing := range []Met{No, Unknown} {
		for _, c := range conditions {
			if c.Needed && c.Met == missing {
				return &Reach{Text: unshown(&c), Condition: &c}
			}
		}
	}
	return &Reach{Shown: true, Text: Sentence}
}

func unshown(c *Condition) string {
	if c.Met == No {
		return "not shown for asynchronous executions: " + c.Where()
	}
	return "not known for asynchronous executions: " + c.Where()
}
