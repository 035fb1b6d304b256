// Load asks etcd for one thing after another, and compares what it was told with what a watch
// tells: what was acknowledged happened at the revision that was told, and nothing happened
// twice; revisions only grow. It speaks the JSON of etcd's gRPC gateway.
//
//	load n1:2379 put a put a delete a compact watch defrag put b wait watch
//
// A compaction is of the last revision: a watch from there has to tell what happened at it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/examples/wild/etcd/gateway"
)

// change is one of a key; a deletion has no value.
type change struct{ key, value string }

// answer has what is read of all answers: those to watches are below result.
type answer struct {
	Header struct {
		Revision int64 `json:",string"`
	}
	Deleted int64 `json:",string"`
	Result  struct {
		Canceled bool
		Events   []struct {
			KV struct {
				Key, Value []byte
				Revision   int64 `json:"mod_revision,string"`
			}
		}
	}
}

type client struct {
	servers  []string
	last     int64            // the revision of the last answer
	happened map[int64]change // what was acknowledged or watched, by its revision
	perhaps  map[change]int   // what was not acknowledged, how often
	broken   string           // the first promise that was, in words
}

func (c *client) breaks(format string, args ...any) {
	c.broken = cmp.Or(c.broken, fmt.Sprintf(format, args...))
}

// ask asks the first server; if that does not answer, the next one is the first.
func (c *client) ask(ctx context.Context, path string, request map[string]any) (*json.Decoder, error) {
	body, err := gateway.Ask(ctx, c.servers[0], path, request)
	if err != nil {
		c.servers = append(c.servers[1:], c.servers[0])
		return nil, err
	}
	return json.NewDecoder(body), nil
}

// change asks for something once. Where that fails it waits until a server answers: that
// none does for long promises nothing, and is the end.
func (c *client) change(path string, request map[string]any) (a answer, err error) {
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		decoder, failed := c.ask(ctx, path, request)
		if failed == nil {
			failed = decoder.Decode(&a)
		}
		if failed == nil {
			break
		} else if log.Printf("%s: %v", path, failed); time.Now().After(end) {
			os.Exit(0)
		} else if path != "/v3/kv/range" {
			err, path, request = failed, "/v3/kv/range", map[string]any{"key": []byte("a")}
		}
	}
	if a.Header.Revision < c.last && path != "/v3/maintenance/defragment" {
		c.breaks("the revision was %d, and is %d", c.last, a.Header.Revision)
	}
	c.last = max(c.last, a.Header.Revision)
	return a, err
}

// watch compares what has happened from a revision on with what a watch tells. The server may
// stop while it does: if something is missing, the next one is asked.
func (c *client) watch(from int64) {
	c.change("/v3/kv/range", map[string]any{"key": []byte("a")})
	for again := true; ; again = false {
		told, missing := c.tells(from), int64(0)
		for revision := range c.happened {
			if told != nil && revision >= from && !told[revision] && (missing == 0 || revision < missing) {
				missing = revision
			}
		}
		if missing == 0 {
			return
		} else if !again {
			c.breaks("a watch from revision %d does not tell %q, which happened at %d", from, c.happened[missing], missing)
			return
		}
		c.servers = append(c.servers[1:], c.servers[0])
	}
}

// tells returns the revisions that a watch tells within two seconds, or nil if it is canceled,
// which promises nothing.
func (c *client) tells(from int64) map[int64]bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	told := map[int64]bool{}
	stream, err := c.ask(ctx, "/v3/watch", map[string]any{"create_request": map[string]any{"key": []byte("a"), "range_end": []byte("z"), "start_revision": from}})
	for before := from - 1; err == nil && before < c.last; {
		var a answer
		if err = stream.Decode(&a); err == nil && a.Result.Canceled || err != nil && ctx.Err() == nil {
			log.Printf("the watch is canceled (%v)", err)
			return nil
		}
		for _, event := range a.Result.Events {
			made, revision := change{string(event.KV.Key), string(event.KV.Value)}, event.KV.Revision
			if revision <= before {
				c.breaks("a watch tells revision %d after %d", revision, before)
			}
			if known, is := c.happened[revision]; is && known != made || !is && c.perhaps[made] == 0 {
				c.breaks("a watch tells %q at revision %d, and %q was acknowledged there", made, revision, known)
			} else if !is {
				c.perhaps[made]--
			}
			before, told[revision], c.happened[revision] = revision, true, made
		}
	}
	return told
}

func main() {
	log.SetFlags(0)
	c := &client{servers: strings.Split(os.Args[1], ","), happened: map[int64]change{}, perhaps: map[change]int{}}
	compacted, words := int64(1), os.Args[2:]
	for i := 0; i < len(words); i++ {
		word, made, path, request := words[i], change{}, "/v3/kv/put", map[string]any{}
		switch word {
		case "put":
			i++
			made = change{words[i], fmt.Sprint("v", i)}
			request = map[string]any{"key": []byte(made.key), "value": []byte(made.value)}
		case "delete":
			i++
			made, path, request["key"] = change{key: words[i]}, "/v3/kv/deleterange", []byte(words[i])
		case "compact":
			path, request["revision"], compacted = "/v3/kv/compaction", c.last, c.last
		case "defrag":
			path = "/v3/maintenance/defragment"
		case "watch":
			c.watch(compacted)
			continue
		default:
			time.Sleep(time.Second)
			continue
		}
		if a, err := c.change(path, request); err != nil {
			c.perhaps[made]++
		} else if made.key != "" && (word == "put" || a.Deleted > 0) {
			c.happened[a.Header.Revision] = made
			log.Printf("acknowledged %s %s=%q revision=%d", word, made.key, made.value, a.Header.Revision)
		}
	}
	if c.broken != "" {
		log.Fatal(c.broken)
	}
}
