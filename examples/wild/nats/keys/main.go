// Keys writes the keys of NATS one after another, and checks what was acknowledged: a bucket
// stays; a key has its last value, or none if it was deleted; revisions only grow; a watch tells
// each change in its order.
//
//	keys n1:4222,n2:4222,n3:4222 replicas=3 put=a update=a delete=a get=a watch
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/examples/wild/nats/connect"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

type entry struct {
	key, value string // "" if it is deleted
	revision   uint64 // 0 if the server has not said it
}

type client struct {
	jetstream.JetStream
	kv      jetstream.KeyValue
	keys    map[string]entry
	changes []entry // what was acknowledged, in its order
	last    uint64
	mu      sync.Mutex
	watched []entry
}

var (
	patience time.Duration
	errWrong = errors.New("wrong")
)

// until tries something until it works, and waits a little in between. That it does not for
// long promises nothing, and is the end, unless what was answered is wrong.
func until(what string, try func(context.Context) error) {
	for end := time.Now().Add(patience); ; time.Sleep(300 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		err := try(ctx)
		cancel()
		if err == nil {
			log.Print(what)
			return
		}
		log.Printf("%s: %v", what, err)
		if !time.Now().Before(end) {
			if errors.Is(err, errWrong) || errors.Is(err, jetstream.ErrStreamNotFound) {
				log.Fatalf("%s: %v", what, err)
			}
			os.Exit(0)
		}
	}
}

// read is what a key has, and fails if that is something else than value.
func (c *client) read(ctx context.Context, key, value string) (entry, error) {
	got := entry{key: key}
	switch e, err := c.kv.Get(ctx, key); {
	case err == nil:
		got.value, got.revision = string(e.Value()), e.Revision()
	case !errors.Is(err, jetstream.ErrKeyNotFound):
		return got, err
	}
	if got.value != value || got.value != "" && got.revision < c.keys[key].revision {
		return got, fmt.Errorf("%w: %s has to be %q, and is %q at revision %d", errWrong, key, value, got.value, got.revision)
	}
	return got, nil
}

// write puts a value, or takes it away, in the revision that the key has where that is known:
// what is tried again is not done twice.
func (c *client) write(ctx context.Context, how string, e entry) (err error) {
	before := c.keys[e.key]
	switch {
	case how == "delete":
		err = c.kv.Delete(ctx, e.key, jetstream.LastRevision(before.revision))
	case how == "put":
		e.revision, err = c.kv.Put(ctx, e.key, []byte(e.value))
	case before.value == "":
		e.revision, err = c.kv.Create(ctx, e.key, []byte(e.value))
	default:
		e.revision, err = c.kv.Update(ctx, e.key, []byte(e.value), before.revision)
	}
	var refused jetstream.JetStreamError
	if errors.As(err, &refused) && refused.APIError() != nil && refused.APIError().ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		e, err = c.read(ctx, e.key, e.value)
	}
	if err != nil {
		return err
	}
	if e.revision != 0 && e.revision <= c.last {
		log.Fatalf("%s was acknowledged at revision %d, and %d was before", e.value, e.revision, c.last)
	}
	c.last = max(c.last, e.revision)
	c.keys[e.key] = e
	c.changes = append(c.changes, e)
	return nil
}

// watch keeps what a watch tells.
func (c *client) watch(updates <-chan jetstream.KeyValueEntry) {
	last := uint64(0)
	for e := range updates {
		if e == nil {
			continue // what is there was told
		}
		if e.Revision() <= last {
			log.Fatalf("the watch tells revision %d behind %d", e.Revision(), last)
		}
		last = e.Revision()
		c.mu.Lock()
		c.watched = append(c.watched, entry{e.Key(), string(e.Value()), last})
		c.mu.Unlock()
	}
}

// told fails if there is a change that the watch has not told.
func (c *client) told() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := c.watched
	for _, change := range c.changes {
		for len(rest) > 0 && (rest[0].key != change.key || rest[0].value != change.value) {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return fmt.Errorf("%w: the watch has not told %q of %s, and has told %v", errWrong, change.value, change.key, c.watched)
		}
	}
	return nil
}

func main() {
	log.SetFlags(0)
	js, replicas := connect.JetStream(os.Args[1], os.Args[2], nats.PingInterval(time.Second))
	c := &client{JetStream: js, keys: map[string]entry{}}
	patience = 20 * time.Second // a watch notices after ten that it was forgotten
	config := jetstream.KeyValueConfig{Bucket: "keys", History: 20, Replicas: replicas}
	until("create", func(ctx context.Context) (err error) { c.kv, err = c.CreateKeyValue(ctx, config); return err })
	until("watch", func(context.Context) error {
		w, err := c.kv.WatchAll(context.Background(), jetstream.IncludeHistory())
		if err == nil {
			go c.watch(w.Updates())
		}
		return err
	})
	for i, word := range os.Args[3:] {
		what, key, _ := strings.Cut(word, "=")
		until(word, func(ctx context.Context) (err error) {
			switch what {
			case "get":
				_, err = c.read(ctx, key, c.keys[key].value)
			case "watch":
				err = c.told()
			case "delete":
				err = c.write(ctx, what, entry{key: key})
			default:
				err = c.write(ctx, what, entry{key: key, value: fmt.Sprint("value ", i)})
			}
			return err
		})
	}
}
