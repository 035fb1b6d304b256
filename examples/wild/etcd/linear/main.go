// Linear asks each of some members of etcd, one after the other and all at once, to put a new
// value for a key and to read it, and looks at the end whether some order explains all answers
// that is one of the times at which they were asked and answered: it is the promise of reads
// that are not serializable. It speaks the JSON of etcd's gRPC gateway.
//
//	linear n1:2379,n2:2379,n3:2379 20
//
// With "serializable" as a third argument reads are, which are not promised that.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/examples/wild/etcd/gateway"
)

// request asks for a put of a value, or for what is there.
type request struct {
	put   bool
	value string
}

// register has one value. A put of which no answer came has none.
var register = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		if r := input.(request); r.put {
			return true, r.value
		}
		return state == output, state
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %q", input, output) },
}

// ask asks a member once.
func ask(member string, r request) (value string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	path, asked := "/v3/kv/range", map[string]any{"key": []byte("k"), "serializable": len(os.Args) > 3}
	if r.put {
		path, asked = "/v3/kv/put", map[string]any{"key": []byte("k"), "value": []byte(r.value)}
	}
	body, err := gateway.Ask(ctx, member, path, asked)
	if err != nil {
		return "", err
	}
	defer body.Close()
	var answer struct{ KVs []struct{ Value []byte } }
	if err := json.NewDecoder(body).Decode(&answer); err != nil || len(answer.KVs) == 0 {
		return "", err
	}
	return string(answer.KVs[0].Value), nil
}

func main() {
	log.SetFlags(0)
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var happened []porcupine.Operation
	for i, member := range strings.Split(os.Args[1], ",") {
		all.Go(func() {
			for n := range count {
				time.Sleep(time.Duration(20+10*i) * time.Millisecond)
				r := request{put: n%3 == i%3, value: fmt.Sprint(i, ".", n)}
				o := porcupine.Operation{ClientId: i, Input: r, Call: time.Now().UnixNano()}
				value, err := ask(member, r)
				if o.Output, o.Return = value, time.Now().UnixNano(); err != nil {
					log.Printf("%s: %v", member, err)
					if !r.put {
						continue
					}
					o.Return = math.MaxInt64
				}
				mu.Lock()
				happened = append(happened, o)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	log.Printf("%d of %d answered", len(happened), count*len(strings.Split(os.Args[1], ",")))
	if !porcupine.CheckOperations(register, happened) {
		for _, o := range happened {
			log.Printf("%d %d to %d: %s", o.ClientId, o.Call/1e6%1e6, o.Return/1e6%1e6, register.DescribeOperation(o.Input, o.Output))
		}
		log.Fatal("no order explains what was answered")
	}
}
