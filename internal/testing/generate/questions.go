package generate

// Question is a row of the benchmark of the engine.
type Question struct {
	Model
	Holds bool // what the answer is
	Slow  bool // it takes seconds, or is beyond what the engine can decide
}

// Questions are the rows, quick ones and slow ones.
func Questions() []Question {
	const faults = "omissions=4 crashes=1"
	return []Question{
		{ReplicatedLog(true, 3, 4), true, false},
		{ReplicatedLog(true, 3, 5), true, true},
		{ReplicatedLog(true, 3, 6), true, true},
		{ReplicatedLog(true, 3, 7), true, true},
		{ReplicatedLog(true, 3, 8), true, true},
		{ReplicatedLog(true, 5, 5), true, true},
		{ReplicatedLog(false, 3, 5), false, false},
		{ReplicatedLog(false, 3, 6), false, false},
		{ReplicatedLog(false, 3, 8), false, true},
		{Acknowledged(12), true, false},
		{Acknowledged(16), true, true},
		{Acknowledged(24), true, true},
		{Synod(12), true, false},
		{Synod(24), true, true},
		{Raft(VotesBlindly, 3, 16, faults), false, false},
		{Raft(VotesBlindly, 3, 20, faults), false, false},
		{Raft(VotesBlindly, 3, 16, "omissions=4"), false, true},
		{Raft(VotesBlindly, 3, 20, "omissions=4"), false, true},
		{Raft(Fixed, 3, 12, faults), true, false},
		{Raft(Fixed, 3, 14, faults), true, true},
	}
}
