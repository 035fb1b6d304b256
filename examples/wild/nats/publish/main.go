// Publish adds a stream with so many replicas to NATS JetStream, publishes messages to it, one
// after another, and reads those at the end that were acknowledged: they have to be there.
//
//	publish n1:4222,n2:4222,n3:4222 3 8
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

// until tries something until it works. That it does not for long promises nothing, and is
// the end.
func until[T any](what string, patience time.Duration, try func(context.Context) (T, error)) T {
	for end := time.Now().Add(patience); ; {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		result, err := try(ctx)
		cancel()
		if err == nil {
			return result
		}
		log.Printf("%s: %v", what, err)
		if time.Now().After(end) {
			log.Printf("%s: nobody does it", what)
			os.Exit(0)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func main() {
	log.SetFlags(0)
	var numbers [2]int
	for i := range numbers {
		n, err := strconv.Atoi(os.Args[2+i])
		if err != nil {
			log.Fatal(err)
		}
		numbers[i] = n
	}
	replicas, messages := numbers[0], numbers[1]
	nc, err := nats.Connect("nats://"+strings.ReplaceAll(os.Args[1], ",", ",nats://"), nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond), nats.Timeout(time.Second), nats.DontRandomize())
	if err != nil {
		log.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		log.Fatal(err)
	}
	config := jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders"}, Replicas: replicas}
	until("add stream", 15*time.Second, func(ctx context.Context) (jetstream.Stream, error) { return js.CreateStream(ctx, config) })
	log.Print("added stream=ORDERS")
	acknowledged := map[uint64]string{}
	for i := range messages {
		text := fmt.Sprint("order ", i)
		ack := until("publish", 5*time.Second, func(ctx context.Context) (*jetstream.PubAck, error) {
			return js.Publish(ctx, "orders", []byte(text), jetstream.WithMsgID(text))
		})
		acknowledged[ack.Sequence] = text
		log.Printf("acknowledged sequence=%d order=%d", ack.Sequence, i)
	}
	time.Sleep(2 * time.Second)
	lost := 0
	for sequence := uint64(1); len(acknowledged) > 0 && sequence < 1000; sequence++ {
		want, ok := acknowledged[sequence]
		if !ok {
			continue
		}
		delete(acknowledged, sequence)
		got := until("read", 10*time.Second, func(ctx context.Context) (string, error) {
			stream, err := js.Stream(ctx, "ORDERS")
			if errors.Is(err, jetstream.ErrStreamNotFound) {
				return "no stream", nil
			}
			if err != nil {
				return "", err
			}
			m, err := stream.GetMsg(ctx, sequence)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				return "no message", nil
			}
			if err != nil {
				return "", err
			}
			return string(m.Data), nil
		})
		if got != want {
			log.Printf("message %d was acknowledged as %q, and is %q", sequence, want, got)
			lost++
		}
	}
	if lost > 0 {
		os.Exit(1)
	}
}
