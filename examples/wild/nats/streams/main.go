// Streams creates streams on a cluster of NATS one after another, and takes away those with a
// minus: what was acknowledged is so in the end, and all replicas are current if no server is down.
//
//	streams n1:4222,n2:4222,n3:4222 replicas=3 a b c -a
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/examples/wild/nats/connect"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// until tries something until it works, and waits a little in between.
func until(patience time.Duration, what string, try func(context.Context) error) (err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(300 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		err = try(ctx)
		cancel()
		if err == nil {
			log.Print(what)
			return nil
		}
		log.Printf("%s: %v", what, err)
	}
	return err
}

// settled fails if a stream has no leader, or replicas that are not current.
func settled(ctx context.Context, js jetstream.JetStream, name string, replicas int) error {
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return err
	}
	current, about := 1, stream.CachedInfo().Cluster
	for _, peer := range about.Replicas {
		if peer.Current {
			current++
		}
	}
	if about.Leader == "" || current < replicas {
		return fmt.Errorf("it has %d current replicas, led by %q", current, about.Leader)
	}
	return nil
}

// down says whether nobody answers at one of the servers.
func down(servers string) bool {
	for _, server := range strings.Split(servers, ",") {
		conn, err := net.DialTimeout("tcp", server, time.Second)
		if err != nil {
			return true
		}
		conn.Close()
	}
	return false
}

func main() {
	log.SetFlags(0)
	js, replicas := connect.JetStream(os.Args[1], os.Args[2], nats.PingInterval(time.Second))
	there := map[string]bool{} // what was acknowledged
	for _, word := range os.Args[3:] {
		name := strings.TrimPrefix(word, "-")
		err := until(15*time.Second, word, func(ctx context.Context) error {
			if name != word {
				if err := js.DeleteStream(ctx, name); !errors.Is(err, jetstream.ErrStreamNotFound) {
					return err
				}
				return nil
			}
			_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: name, Subjects: []string{name}, Replicas: replicas})
			return err
		})
		if err != nil {
			delete(there, name) // it may be so or not
			continue
		}
		there[name] = name == word
	}
	for _, word := range os.Args[3:] {
		name := strings.TrimPrefix(word, "-")
		is, known := there[name]
		if !known {
			continue
		}
		delete(there, name)
		err := until(20*time.Second, "look at "+name, func(ctx context.Context) error {
			err := settled(ctx, js, name, replicas)
			switch {
			case is:
				return err
			case errors.Is(err, jetstream.ErrStreamNotFound):
				return nil
			case err == nil:
				return errors.New("it was deleted, and is there")
			}
			return err
		})
		// With a server that is down for good, one that has nothing yet does not elect a leader.
		if err != nil && (errors.Is(err, jetstream.ErrStreamNotFound) || !down(os.Args[1])) {
			log.Fatalf("stream %s: %v", name, err)
		}
	}
}
