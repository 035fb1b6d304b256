// Package connect connects clients with servers of NATS.
package connect

import (
	"log"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// JetStream is that of servers, as in n1:4222,n2:4222, to which the client connects again for
// as long as it takes; replicas is how many a stream has, as in replicas=3. It ends the program
// where the words are no such ones.
func JetStream(servers, replicas string, options ...nats.Option) (jetstream.JetStream, int) {
	options = append([]nats.Option{nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.Timeout(time.Second), nats.DontRandomize()}, options...)
	nc, err := nats.Connect("nats://"+strings.ReplaceAll(servers, ",", ",nats://"), options...)
	if err != nil {
		log.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		log.Fatal(err)
	}
	number, err := strconv.Atoi(strings.TrimPrefix(replicas, "replicas="))
	if err != nil {
		log.Fatal(err)
	}
	return js, number
}
