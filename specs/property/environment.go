package property

// signatures are the relations of every recording, and their columns.
var signatures = map[string]string{
	"eot":       "eot(Rounds)",
	"round":     "round(Round)",
	"process":   "process(Process)",
	"before":    "before(Process, Process)",
	"sent":      "sent(From, To, Kind, Text, Round)",
	"delivered": "delivered(From, To, Kind, Text, Round)",
	"lost":      "lost(From, To, Kind, Text, Round)",
	"crashed":   "crashed(Process, Round)",
	"restarted": "restarted(Process, Round)",
	"isolated":  "isolated(Process, Round)",
	"paused":    "paused(Process, Round)",
}

// environment has the number of columns of each of them.
var environment = map[string]int{
	"eot": 1, "round": 1, "process": 1, "before": 2,
	"sent": 5, "delivered": 5, "lost": 5,
	"crashed": 2, "restarted": 2, "isolated": 2, "paused": 2,
}
