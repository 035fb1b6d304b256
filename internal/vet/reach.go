package vet

import "github.com/lineage-driven/ldfi/ldfi/result"

// Groups are all groups, with the place where their conditions are stated.
var Groups = []struct {
	Group  result.ConditionGroup
	Source string
}{
	{result.GroupClosure, "Dragoi et al. 2020, Def. 4.3"},
	{result.GroupLeader, "Dragoi et al. 2020, Thm 5.3"},
	{result.GroupSequentialization, "Dragoi and Inzaghi Pronesti 2022, section 4.2"},
	{result.GroupPromise, "what indistinguishable executions have in common"},
	{result.GroupBounds, "what stands for a late message"},
}

// Sentence is what follows where all conditions are met.
const Sentence = "and so under every asynchronous execution within these bounds, where a message that comes late counts as lost"

// ReachOf returns what follows from conditions: the sentence if all that it needs are
// met, or else the first that is not, one that is known to fail before one that is not
// known to be met.
func ReachOf(conditions []result.Condition) *result.Reach {
	for _, missing := range []result.Met{result.MetNo, result.MetUnknown} {
		for _, c := range conditions {
			if c.Needed && c.Met == missing {
				return &result.Reach{Text: unshown(&c), Condition: &c}
			}
		}
	}
	return &result.Reach{Shown: true, Text: Sentence}
}

func unshown(c *result.Condition) string {
	if c.Met == result.MetNo {
		return "not shown for asynchronous executions: " + c.Where()
	}
	return "not known for asynchronous executions: " + c.Where()
}
