// Leases asks etcd for one thing after another, and looks at the end whether it is as was
// acknowledged: a key with a lease is there until that is revoked or has expired, and no
// longer; a member that was added as a learner is one, until it is removed. It speaks the JSON
// of etcd's gRPC gateway.
//
//	leases n1:2379,n2:2379 grant put a wait revoke add remove
//
// A lease lasts a minute, and keys have the one that was granted last.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/examples/wild/etcd/gateway"
)

// answer has what is read of all answers.
type answer struct {
	ID      string
	KVs     []struct{ Key []byte }
	Member  struct{ ID string }
	Members []struct{ PeerURLs []string }
}

var servers []string

// ask asks the first server; if that does not answer, the next one is the first.
func ask(path string, request map[string]any) (a answer, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	body, err := gateway.Ask(ctx, servers[0], path, request)
	if err == nil {
		defer body.Close()
		err = json.NewDecoder(body).Decode(&a)
	}
	if err != nil {
		servers = append(servers[1:], servers[0])
	}
	return a, err
}

// insist asks until a server answers: that none does for long promises nothing.
func insist(path string, request map[string]any) answer {
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		a, err := ask(path, request)
		if err == nil {
			return a
		} else if log.Printf("%s: %v", path, err); time.Now().After(end) {
			os.Exit(0)
		}
	}
}

const learner = "http://learner:2380"

func main() {
	log.SetFlags(0)
	servers = strings.Split(os.Args[1], ",")
	lease, member := "", ""
	var leases, there = map[string]string{}, map[string]bool{} // of what was acknowledged: by key, and by key or learner
	words := os.Args[2:]
	insist("/v3/kv/range", map[string]any{"key": []byte("a")})
	for i := 0; i < len(words); i++ {
		var a answer
		var err error
		word, changes := words[i], words[i]
		switch word {
		case "grant":
			if a, err = ask("/v3/lease/grant", map[string]any{"TTL": 60}); err == nil {
				lease = a.ID
			}
		case "put":
			i++
			changes = words[i]
			_, err = ask("/v3/kv/put", map[string]any{"key": []byte(changes), "value": []byte("v"), "lease": lease})
			there[changes], leases[changes] = true, lease
		case "revoke":
			_, err = ask("/v3/lease/revoke", map[string]any{"ID": lease})
			for key, of := range leases {
				if of == lease {
					there[key] = false
				}
				if of == lease && err != nil {
					delete(there, key)
				}
			}
		case "add":
			changes = learner
			a, err = ask("/v3/cluster/member/add", map[string]any{"peerURLs": []string{learner}, "isLearner": true})
			there[learner], member = true, a.Member.ID
		case "remove":
			changes = learner
			_, err = ask("/v3/cluster/member/remove", map[string]any{"ID": member})
			there[learner] = false
		default:
			time.Sleep(time.Second)
			continue
		}
		if err != nil { // it may have happened
			log.Printf("%s: %v", word, err)
			delete(there, changes)
			if word == "grant" || word == "add" {
				log.Print("what follows would have nothing to refer to")
				break
			}
			continue
		}
		log.Print("acknowledged ", word, " ", changes)
	}
	is := map[string]bool{}
	for _, kv := range insist("/v3/kv/range", map[string]any{"key": []byte("a"), "range_end": []byte("z")}).KVs {
		is[string(kv.Key)] = true
	}
	for _, m := range insist("/v3/cluster/member/list", map[string]any{"linearizable": true}).Members {
		is[learner] = is[learner] || len(m.PeerURLs) > 0 && m.PeerURLs[0] == learner
	}
	for name, want := range there {
		if is[name] != want {
			log.Fatalf("%s has to be there: %v, and it is: %v", name, want, is[name])
		}
	}
}
