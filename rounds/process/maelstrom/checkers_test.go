package maelstrom

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// What each workload says of what clients were told. A line is: the node, the id of the
// operation, the round, ? for what is asked or ! for what is told, and the body.
func TestCheckers(t *testing.T) {
	for name, c := range map[string]struct {
		workload Workload
		faults   string
		facts    string
		want     []string
	}{
		"an echo": {Echo{}, "", `n1 1 1 ? echo {"echo":"a"}
			n1 1 2 ! echo_ok {"echo":"a"}`, nil},
		"a wrong echo": {Echo{}, "", `n1 1 1 ? echo {"echo":"a"}
			n1 1 2 ! echo_ok {"echo":"b"}`,
			[]string{`echoes are equal: n1 answers echo {"echo":"a"} of round 1 with echo_ok {"echo":"b"} in round 2`}},
		"no echo":                {Echo{}, "", `n1 1 1 ? echo {"echo":"a"}`, []string{`every request is answered: n1 does not answer echo {"echo":"a"} of round 1`}},
		"no echo before the end": {Echo{}, "", `n1 1 10 ? echo {"echo":"a"}`, nil},
		"no echo before a crash": {Echo{}, "crash n1@3", `n1 1 1 ? echo {"echo":"a"}`, nil},
		"unique ids": {UniqueIDs{}, "", `n1 1 1 ? generate
			n1 1 1 ! generate_ok {"id":1}
			n2 2 1 ? generate
			n2 2 1 ! generate_ok {"id":"1"}`, nil},
		"an id twice": {UniqueIDs{}, "", `n1 1 1 ? generate
			n1 1 1 ! generate_ok {"id":[1,"a"]}
			n2 2 1 ? generate
			n2 2 2 ! generate_ok {"id":[1,"a"]}`,
			[]string{`ids are unique: n1 answers generate of round 1 with generate_ok {"id":[1,"a"]} in round 1; and n2 answers generate of round 1 with generate_ok {"id":[1,"a"]} in round 2`}},
		"no id": {UniqueIDs{}, "", `n1 1 1 ? generate
			n1 1 1 ! generate_ok`, []string{`ids are unique: n1 answers generate of round 1 with generate_ok in round 1, without an id`}},
		"a value everywhere": {Broadcast{}, "", `n1 1 1 ? broadcast {"message":7}
			n1 1 1 ! broadcast_ok
			n1 2 3 ? read
			n1 2 3 ! read_ok {"messages":[7]}
			n2 3 3 ? read
			n2 3 3 ! read_ok {"messages":[]}
			n2 4 4 ? read
			n2 4 4 ! read_ok {"messages":[8,7]}
			n1 5 4 ? broadcast {"message":8}
			n1 5 4 ! error {"code":13,"text":"maybe"}`, nil},
		"a value that is not everywhere": {Broadcast{}, "", `n1 1 1 ? broadcast {"message":7}
			n1 1 1 ! broadcast_ok
			n2 3 3 ? read
			n2 3 3 ! read_ok {"messages":[]}`,
			[]string{`every value reaches all: n1 answers broadcast {"message":7} of round 1 with broadcast_ok in round 1, but n2 answers read of round 3 with read_ok {"messages":[]} in round 3, without 7`}},
		"a node that is down need not have it": {Broadcast{}, "crash n2@5", `n1 1 1 ? broadcast {"message":7}
			n1 1 1 ! broadcast_ok
			n2 3 3 ? read
			n2 3 3 ! read_ok {"messages":[]}`, nil},
		"a node that is back has to": {Broadcast{}, "crash n2@5; restart n2@6", `n1 1 1 ? broadcast {"message":7}
			n1 1 1 ! broadcast_ok
			n2 3 3 ? read
			n2 3 3 ! read_ok {"messages":[]}`,
			[]string{`every value reaches all: n1 answers broadcast {"message":7} of round 1 with broadcast_ok in round 1, but n2 answers read of round 3 with read_ok {"messages":[]} in round 3, without 7`}},
		"a node that never answers": {GSet{}, "", `n1 1 1 ? add {"element":7}
			n1 1 1 ! add_ok
			n2 3 10 ? read`,
			[]string{`every element reaches all: n1 answers add {"element":7} of round 1 with add_ok in round 1, but n2 does not answer read of round 10, without 7`}},
		"an element from nowhere": {GSet{}, "", `n2 3 3 ? read
			n2 3 3 ! read_ok {"value":[7]}
			n1 4 4 ? add {"element":7}
			n1 4 4 ! add_ok`,
			[]string{`no element is invented: n2 answers read of round 3 with read_ok {"value":[7]} in round 3, but nobody had asked to add 7`}},
		"a sum": {GCounter{}, "", `n1 1 1 ? add {"delta":7}
			n1 1 1 ! add_ok
			n1 2 2 ? add {"delta":3}
			n1 3 2 ? add {"delta":100}
			n1 3 2 ! error {"code":11,"text":"not now"}
			n1 4 3 ? read
			n1 4 3 ! read_ok {"value":7}
			n2 5 3 ? read
			n2 5 3 ! read_ok {"value":10}`, nil},
		"a sum that lacks something": {GCounter{}, "", `n1 1 1 ? add {"delta":7}
			n1 1 1 ! add_ok
			n1 4 3 ? read
			n1 4 3 ! read_ok {"value":6}`,
			[]string{`every add counts: n1 answers read of round 3 with read_ok {"value":6} in round 3, but clients were told that 7 is added`}},
		"a sum that has too much": {GCounter{}, "", `n1 1 1 ? add {"delta":7}
			n1 3 2 ? add {"delta":100}
			n1 3 9 ! error {"code":22,"text":"no"}
			n1 4 3 ? read
			n1 4 3 ! read_ok {"value":8}
			n1 5 4 ? read
			n1 5 4 ! read_ok {"value":9}`,
			[]string{`no add counts twice: n1 answers read of round 3 with read_ok {"value":8} in round 3, but all that was asked to be added by then is 7`}},
		"a sum that shrinks": {PNCounter{}, "", `n1 1 1 ? add {"delta":7}
			n1 1 1 ! add_ok
			n1 2 2 ? add {"delta":-3}
			n1 3 3 ? read
			n1 3 3 ! read_ok {"value":7}
			n2 4 3 ? read
			n2 4 3 ! read_ok {"value":4}`, nil},
		"a sum that takes away twice": {PNCounter{}, "", `n1 1 1 ? add {"delta":7}
			n1 1 1 ! add_ok
			n1 2 2 ? add {"delta":-3}
			n1 2 2 ! add_ok
			n1 3 3 ? read
			n1 3 3 ! read_ok {"value":-6}`,
			[]string{`every add counts once: n1 answers read of round 3 with read_ok {"value":-6} in round 3, but clients were told that 4 is added`,
				`no more is added than was asked: n1 answers read of round 3 with read_ok {"value":-6} in round 3, but what was asked to be added by then is from -3 to 7`}},
		"transactions": {TxnRWRegister{}, "", `n1 1 1 ? txn {"txn":[["w",1,5],["r",2,null],["r",1,null]]}
			n1 1 1 ! txn_ok {"txn":[["w",1,5],["r",2,null],["r",1,5]]}
			n2 2 2 ? txn {"txn":[["w",2,6]]}
			n2 2 2 ! error {"code":30,"text":"no"}
			n2 3 3 ? txn {"txn":[["r",1,null],["r",2,null]]}
			n2 3 3 ! txn_ok {"txn":[["r",1,5],["r",2,null]]}`, nil},
		"a transaction in the past": {TxnRWRegister{}, "", stalePast,
			[]string{`linearizability: reply(n2, 2, "txn_ok {"txn":[["r",1,null]]}") in round 2: no order of the requests explains this reply and those before it`}},
		"it is in the past, as it may be": {TxnRWRegister{Consistency: "serializable"}, "", stalePast, nil},
		"a skew":                          {TxnRWRegister{Consistency: "serializable"}, "", skew, []string{`serializability: reply(n2, 2, "txn_ok {"txn":[["r",1,null],["w",2,6]]}") in round 1: no order at all of the requests explains this reply and those before it`}},
		"a skew, as it may be":            {TxnRWRegister{Consistency: "read-committed"}, "", skew, nil},
		"a read of what has failed": {TxnRWRegister{Consistency: "read-committed"}, "", dirty,
			[]string{`read-committed: n2 answers txn {"txn":[["r",1,null]]} of round 2 with txn_ok {"txn":[["r",1,5]]} in round 2, but n1 answers txn {"txn":[["w",1,5]]} of round 1 with error {"code":30,"text":"no"} in round 1`}},
		"it has failed, and may be read": {TxnRWRegister{Consistency: "read-uncommitted"}, "", dirty, nil},
		"a read of what was overwritten in its transaction": {TxnRWRegister{Consistency: "read-committed"}, "", `n1 1 1 ? txn {"txn":[["w",1,5],["w",1,6]]}
			n1 1 1 ! txn_ok {"txn":[["w",1,5],["w",1,6]]}
			n2 2 2 ? txn {"txn":[["r",1,null]]}
			n2 2 2 ! txn_ok {"txn":[["r",1,5]]}`,
			[]string{`read-committed: n2 answers txn {"txn":[["r",1,null]]} of round 2 with txn_ok {"txn":[["r",1,5]]} in round 2, but txn {"txn":[["w",1,5],["w",1,6]]} of round 1 writes another value to register 1 after 5`}},
		"two have read of each other": {TxnRWRegister{Consistency: "read-committed"}, "", `n1 1 1 ? txn {"txn":[["w",1,5],["r",2,null]]}
			n1 1 1 ! txn_ok {"txn":[["w",1,5],["r",2,6]]}
			n2 2 1 ? txn {"txn":[["w",2,6],["r",1,null]]}
			n2 2 1 ! txn_ok {"txn":[["w",2,6],["r",1,5]]}`,
			[]string{`read-committed: n1 answers txn {"txn":[["w",1,5],["r",2,null]]} of round 1 with txn_ok {"txn":[["w",1,5],["r",2,6]]} in round 1; it has read of n2 answers txn {"txn":[["w",2,6],["r",1,null]]} of round 1 with txn_ok {"txn":[["w",2,6],["r",1,5]]} in round 1, which has read of it`}},
		"a read from nowhere": {TxnRWRegister{Consistency: "read-uncommitted"}, "", `n2 2 2 ? txn {"txn":[["r",1,null]]}
			n2 2 2 ! txn_ok {"txn":[["r",1,5]]}`,
			[]string{`read-uncommitted: n2 answers txn {"txn":[["r",1,null]]} of round 2 with txn_ok {"txn":[["r",1,5]]} in round 2, but nobody had asked to write 5 to register 1`}},
		"another transaction": {TxnRWRegister{Consistency: "read-uncommitted"}, "", `n2 2 2 ? txn {"txn":[["w",1,5]]}
			n2 2 2 ! txn_ok {"txn":[["w",1,6]]}`,
			[]string{`read-uncommitted: n2 answers txn {"txn":[["w",1,5]]} of round 2 with txn_ok {"txn":[["w",1,6]]} in round 2, which is another transaction`}},
		"logs": {Kafka{}, "", `n1 1 1 ? send {"key":"1","msg":7}
			n1 1 1 ! send_ok {"offset":10}
			n2 2 2 ? send {"key":"1","msg":8}
			n2 3 3 ? poll {"offsets":{"1":0,"2":0}}
			n2 3 3 ! poll_ok {"msgs":{"1":[[10,7],[12,8]],"2":[]}}
			n1 4 4 ? poll {"offsets":{"1":0}}
			n1 4 4 ! poll_ok {"msgs":{}}
			n1 5 4 ? commit_offsets {"offsets":{"1":10}}
			n1 5 4 ! commit_offsets_ok
			n1 6 5 ? list_committed_offsets {"keys":["1"]}
			n1 6 5 ! list_committed_offsets_ok {"offsets":{"1":10}}`, nil},
		"a log with a hole": {Kafka{}, "", `n1 1 1 ? send {"key":"1","msg":7}
			n1 1 1 ! send_ok {"offset":1}
			n2 2 2 ? send {"key":"1","msg":8}
			n2 2 2 ! send_ok {"offset":2}
			n2 3 3 ? poll {"offsets":{"1":0}}
			n2 3 3 ! poll_ok {"msgs":{"1":[[2,8]]}}`,
			[]string{`polls leave nothing out: n1 answers send {"key":"1","msg":7} of round 1 with send_ok {"offset":1} in round 1, but n2 answers poll {"offsets":{"1":0}} of round 3 with poll_ok {"msgs":{"1":[[2,8]]}} in round 3, without offset 1 of log 1`}},
		"a log in no order": {Kafka{}, "", `n1 1 1 ? send {"key":"1","msg":7}
			n2 2 1 ? send {"key":"1","msg":8}
			n2 3 3 ? poll {"offsets":{"1":0}}
			n2 3 3 ! poll_ok {"msgs":{"1":[[2,8],[1,7]]}}`,
			[]string{`polls leave nothing out: n2 answers poll {"offsets":{"1":0}} of round 3 with poll_ok {"msgs":{"1":[[2,8],[1,7]]}} in round 3, where offsets do not grow from the one that was asked for`}},
		"two at one offset": {Kafka{}, "", `n1 1 1 ? send {"key":"1","msg":7}
			n1 1 1 ! send_ok {"offset":1}
			n2 2 2 ? send {"key":"1","msg":8}
			n2 2 2 ! send_ok {"offset":1}`,
			[]string{`an offset has one message: n1 answers send {"key":"1","msg":7} of round 1 with send_ok {"offset":1} in round 1; and n2 answers send {"key":"1","msg":8} of round 2 with send_ok {"offset":1} in round 2: log 1 has message 7 at offset 1, and message 8 at offset 1`}},
		"no answer to a poll": {Kafka{}, "", `n2 3 3 ? poll {"offsets":{"1":0}}
			n2 3 3 ! poll_ok {"msgs":{"1":[2,8]}}`,
			[]string{`an offset has one message: n2 answers poll {"offsets":{"1":0}} of round 3 with poll_ok {"msgs":{"1":[2,8]}} in round 3, which has not the form of an answer to poll`}},
		"a message from nowhere": {Kafka{}, "", `n2 3 3 ? poll {"offsets":{"1":0}}
			n2 3 3 ! poll_ok {"msgs":{"1":[[2,8]]}}`,
			[]string{`no message is invented: n2 answers poll {"offsets":{"1":0}} of round 3 with poll_ok {"msgs":{"1":[[2,8]]}} in round 3, but nobody had asked to send 8 to log 1`}},
		"a commit that is forgotten": {Kafka{}, "", `n1 5 4 ? commit_offsets {"offsets":{"1":10}}
			n1 5 4 ! commit_offsets_ok
			n2 6 5 ? list_committed_offsets {"keys":["1"]}
			n2 6 5 ! list_committed_offsets_ok {"offsets":{}}`,
			[]string{`commits are kept: n1 answers commit_offsets {"offsets":{"1":10}} of round 4 with commit_offsets_ok in round 4, but n2 answers list_committed_offsets {"keys":["1"]} of round 5 with list_committed_offsets_ok {"offsets":{}} in round 5`}},
		"a store": {LinKV{}, "", `n1 1 1 ? read {"key":"x"}
			n1 1 1 ! error {"code":20,"text":"no key"}
			n1 2 2 ? write {"key":"x","value":1}
			n1 2 2 ! write_ok
			n2 3 3 ? cas {"from":1,"key":"x","to":2}
			n2 3 3 ! cas_ok
			n2 4 4 ? cas {"from":1,"key":"x","to":3}
			n2 4 4 ! error {"code":22,"text":"it is 2"}
			n2 5 4 ? cas {"from":2,"key":"x","to":5}
			n2 5 4 ! error {"code":11,"text":"later"}
			n1 6 5 ? read {"key":"x"}
			n1 6 5 ! read_ok {"value":2}
			n1 7 6 ? read {"key":"y"}
			n1 7 6 ! error {"code":20,"text":"no key"}`, nil},
		"an error that leaves open what happened": {LinKV{}, "", `n1 1 1 ? write {"key":"x","value":1}
			n1 1 1 ! error {"code":13,"text":"who knows"}
			n1 2 2 ? read {"key":"x"}
			n1 2 2 ! error {"code":20,"text":"no key"}
			n1 3 3 ? read {"key":"x"}
			n1 3 3 ! read_ok {"value":1}`, nil},
		"a second answer, which no client takes": {LinKV{}, "", `n1 1 1 ? write {"key":"x","value":1}
			n1 1 1 ! write_ok
			n1 2 2 ? read {"key":"x"}
			n1 2 2 ! read_ok {"value":1}
			n2 2 3 ! read_ok {"value":2}`, nil},
		"a stale read": {LinKV{}, "", `n1 1 1 ? write {"key":"x","value":1}
			n1 1 1 ! write_ok
			n1 2 2 ? read {"key":"x"}
			n1 2 2 ! error {"code":20,"text":"no key"}`,
			[]string{`linearizability: reply(n1, 2, "error {"code":20,"text":"no key"}") in round 2: no order of the requests explains this reply and those before it`}},
		"a swap of what is not there": {LinKV{}, "", `n1 1 1 ? cas {"from":1,"key":"x","to":2}
			n1 1 1 ! cas_ok`,
			[]string{`linearizability: reply(n1, 1, "cas_ok") in round 1: no order of the requests explains this reply and those before it`}},
	} {
		t.Run(name, func(t *testing.T) {
			var texts []string
			for _, p := range c.workload.promises(9) {
				violations, err := p.Check(told(t, c.faults, c.facts))
				require.NoError(t, err)
				for _, v := range violations {
					texts = append(texts, p.Name+": "+v.Text)
				}
			}
			require.Equal(t, c.want, texts)
		})
	}
}

// Histories of transactions on which consistencies do not agree.
const (
	stalePast = `n1 1 1 ? txn {"txn":[["w",1,5]]}
		n1 1 1 ! txn_ok {"txn":[["w",1,5]]}
		n2 2 2 ? txn {"txn":[["r",1,null]]}
		n2 2 2 ! txn_ok {"txn":[["r",1,null]]}`
	skew = `n1 1 1 ? txn {"txn":[["r",2,null],["w",1,5]]}
		n1 1 1 ! txn_ok {"txn":[["r",2,null],["w",1,5]]}
		n2 2 1 ? txn {"txn":[["r",1,null],["w",2,6]]}
		n2 2 1 ! txn_ok {"txn":[["r",1,null],["w",2,6]]}`
	dirty = `n1 1 1 ? txn {"txn":[["w",1,5]]}
		n1 1 1 ! error {"code":30,"text":"no"}
		n2 2 2 ? txn {"txn":[["r",1,null]]}
		n2 2 2 ! txn_ok {"txn":[["r",1,5]]}`
)

// told returns the recording of what clients asked and were told.
func told(t *testing.T, faults, lines string) *recording.Execution {
	t.Helper()
	schedule, err := rounds.ParseSchedule(faults)
	require.NoError(t, err)
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"n1", "n2"}, EOT: 10}, Schedule: schedule}
	for line := range strings.Lines(lines) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 5)
		relation := map[string]string{"?": "request", "!": "reply"}[words[3]]
		e.Facts = append(e.Facts, recording.Fact{
			Relation: relation, Args: []specs.Value{specs.String(words[0]), specs.Int(int64(number(t, words[1]))), specs.String(words[4])}, Round: number(t, words[2]),
		})
	}
	e.Sort()
	return e
}

func number(t *testing.T, text string) int {
	t.Helper()
	body := Body{}
	require.NoError(t, decode([]byte(`{"n":`+text+`}`), &body))
	return body.integer("n")
}

func TestGrid(t *testing.T) {
	require.Equal(t, map[string][]string{"n1": {"n2", "n3"}, "n2": {"n1"}, "n3": {"n1"}}, grid([]string{"n1", "n2", "n3"}))
	require.Equal(t, map[string][]string{
		"n1": {"n2", "n4"}, "n2": {"n1", "n3", "n5"}, "n3": {"n2"}, "n4": {"n1", "n5"}, "n5": {"n2", "n4"},
	}, grid([]string{"n1", "n2", "n3", "n4", "n5"}))
}
