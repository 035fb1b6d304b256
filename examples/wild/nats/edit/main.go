// Edit asks a NATS server for one thing after another, and checks what was acknowledged: a
// stream stays; a message is at its sequence until it is taken out, and not afterwards;
// sequences only grow. A number says which message, in the order in which they were published;
// with publish it says how many bytes more than a few.
//
//	edit n1:4222 publish publish=700000 delete=2 publish erase=1 update purge=3 check
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

type message struct {
	sequence uint64
	text     string // "" if it is taken out
}

type client struct {
	jetstream.JetStream
	stream    jetstream.Stream
	published []message // what was acknowledged
}

// until tries something until it works, and waits a little in between. That it does not for
// long promises nothing, and is the end.
func until(what string, try func(context.Context) error) {
	for end := time.Now().Add(4 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err := try(ctx)
		cancel()
		switch {
		case err == nil:
			log.Print(what)
			return
		case errors.Is(err, jetstream.ErrStreamNotFound) && what != "create":
			log.Fatal("the stream was acknowledged, and is not there")
		case time.Now().After(end):
			log.Printf("%s: nobody does it: %v", what, err)
			os.Exit(0)
		}
		log.Printf("%s: %v", what, err)
	}
}

func (c *client) publish(ctx context.Context, name string, more int) error {
	text := name + strings.Repeat("!", more)
	ack, err := c.Publish(ctx, "orders", []byte(text), jetstream.WithMsgID(name))
	if err != nil {
		return err
	}
	if n := len(c.published); n > 0 && ack.Sequence <= c.published[n-1].sequence {
		log.Fatalf("%s was acknowledged at sequence %d, and %d was before", name, ack.Sequence, c.published[n-1].sequence)
	}
	c.published = append(c.published, message{ack.Sequence, text})
	return nil
}

// take takes a message out, or all up to it.
func (c *client) take(ctx context.Context, how string, number int) error {
	m := &c.published[number-1]
	m.text = ""
	switch how {
	case "erase":
		return gone(c.stream.SecureDeleteMsg(ctx, m.sequence))
	case "delete":
		return gone(c.stream.DeleteMsg(ctx, m.sequence))
	}
	for i := range c.published[:number] {
		c.published[i].text = ""
	}
	if number == len(c.published) {
		return c.stream.Purge(ctx)
	}
	return c.stream.Purge(ctx, jetstream.WithPurgeSequence(m.sequence+1))
}

// gone is err, unless it says that the try before has taken the message out.
func gone(err error) error {
	if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return nil
	}
	return err
}

// check looks at all messages, or at those that are left.
func (c *client) check(ctx context.Context, left bool) error {
	for _, m := range c.published {
		if left && m.text == "" {
			continue
		}
		text := ""
		switch got, err := c.stream.GetMsg(ctx, m.sequence); {
		case err == nil:
			text = string(got.Data)
		case !errors.Is(err, jetstream.ErrMsgNotFound):
			return err
		}
		if text != m.text {
			log.Fatalf("message %d has to be %.10q, and is %.10q", m.sequence, m.text, text)
		}
	}
	return nil
}

func main() {
	log.SetFlags(0)
	nc, err := nats.Connect("nats://"+os.Args[1], nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(200*time.Millisecond), nats.Timeout(time.Second), nats.FlusherTimeout(time.Second))
	if err != nil {
		log.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		log.Fatal(err)
	}
	c := &client{JetStream: js}
	config := jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders"}}
	until("create", func(ctx context.Context) (err error) {
		c.stream, err = c.CreateStream(ctx, config)
		return err
	})
	for i, word := range os.Args[2:] {
		name := fmt.Sprint("order ", i+1)
		what, which, _ := strings.Cut(word, "=")
		number, err := strconv.Atoi("0" + which)
		if err != nil {
			log.Fatal(err)
		}
		until(word, func(ctx context.Context) error {
			switch what {
			case "publish":
				return c.publish(ctx, name, number)
			case "update":
				config.Description = "since " + name
				_, err := c.UpdateStream(ctx, config)
				return err
			case "check", "left":
				return c.check(ctx, what == "left")
			}
			return c.take(ctx, what, number)
		})
	}
}
