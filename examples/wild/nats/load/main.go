// Load asks NATS for one thing after another, and checks what was acknowledged: a stream, a
// consumer and a message at its sequence stay; sequences only grow; a message that the server
// knows to be taken does not come again.
//
//	load n1:4222,n2:4222,n3:4222 replicas=3 publish publish consumer take publish wait check
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/examples/wild/nats/connect"
	"github.com/nats-io/nats.go/jetstream"
)

type client struct {
	jetstream.JetStream
	stream    jetstream.Stream
	published map[uint64]string // what was acknowledged, by its sequence
	worker    jetstream.Consumer
	taken     map[uint64]bool // the server knows it
}

var patience time.Duration

// until tries something until it works, and waits a little in between. That it does not for
// long promises nothing, and is the end.
func until(what string, try func(context.Context) error) {
	for end := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err := try(ctx)
		cancel()
		switch {
		case err == nil:
			log.Print(what)
			return
		case errors.Is(err, jetstream.ErrStreamNotFound) && what != "create":
			log.Fatal("the stream was acknowledged, and is not there")
		case errors.Is(err, jetstream.ErrConsumerNotFound):
			log.Fatal("the consumer was acknowledged, and is not there")
		case time.Now().After(end):
			log.Printf("%s: nobody does it: %v", what, err)
			os.Exit(0)
		}
		log.Printf("%s: %v", what, err)
	}
}

func (c *client) publish(ctx context.Context, text string) error {
	ack, err := c.Publish(ctx, "orders", []byte(text), jetstream.WithMsgID(text))
	if err != nil {
		return err
	}
	for before := range c.published {
		if ack.Sequence <= before {
			log.Fatalf("%s was acknowledged at sequence %d, and %d was before", text, ack.Sequence, before)
		}
	}
	c.published[ack.Sequence] = text
	return nil
}

func (c *client) take(ctx context.Context) (err error) {
	if c.worker, err = c.Consumer(ctx, "ORDERS", "worker"); err != nil {
		return err
	}
	batch, err := c.worker.Fetch(1, jetstream.FetchMaxWait(time.Second))
	if err != nil {
		return err
	}
	for m := range batch.Messages() {
		about, err := m.Metadata()
		if err != nil {
			return err
		}
		if c.taken[about.Sequence.Stream] {
			log.Fatalf("the server knew that message %d is taken, and it comes again", about.Sequence.Stream)
		}
		if err := m.DoubleAck(ctx); err != nil {
			return err
		}
		c.taken[about.Sequence.Stream] = true
	}
	return batch.Error()
}

// check looks at all messages.
func (c *client) check() {
	for _, sequence := range slices.Sorted(maps.Keys(c.published)) {
		until(fmt.Sprint("read ", sequence), func(ctx context.Context) error {
			got, err := c.stream.GetMsg(ctx, sequence)
			if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
				return err
			}
			text := ""
			if err == nil {
				text = string(got.Data)
			}
			if text != c.published[sequence] {
				log.Fatalf("message %d has to be %q, and is %q", sequence, c.published[sequence], text)
			}
			return nil
		})
	}
}

func main() {
	log.SetFlags(0)
	js, replicas := connect.JetStream(os.Args[1], os.Args[2])
	config := jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders"}, Replicas: replicas}
	c := &client{JetStream: js, published: map[uint64]string{}, taken: map[uint64]bool{}}
	patience = time.Duration(config.Replicas) * 2 * time.Second // a cluster may have to elect
	until("create", func(ctx context.Context) (err error) { c.stream, err = c.CreateStream(ctx, config); return err })
	for i, word := range os.Args[3:] {
		switch word {
		case "publish":
			until(word, func(ctx context.Context) error { return c.publish(ctx, fmt.Sprint("order ", i)) })
		case "consumer":
			until("create", func(ctx context.Context) error {
				_, err := c.CreateConsumer(ctx, "ORDERS", jetstream.ConsumerConfig{Durable: "worker"})
				return err
			})
		case "take":
			until(word, c.take)
		case "check":
			c.check()
		default:
			time.Sleep(2 * time.Second)
		}
	}
}
