// Serf is a member of a cluster of serf, with a snapshot on its disk. It joins the others at
// its first start, and those of the snapshot at later ones. Every two seconds up to a time it
// sends an event, and at the end it says how it sees the members: those that are up are alive,
// and who has left has left. With "leave" it leaves before that.
//
//	serf n1 n1:7946,n2:7946,n3:7946 /data/snapshot 10s 28s [leave]
package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/memberlist"
	"github.com/hashicorp/serf/serf"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	if err := member(os.Args[1], strings.Split(os.Args[2], ","), os.Args[3], os.Args[4], os.Args[5], len(os.Args) > 6); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	select {}
}

// at returns the time so long after that of the first round.
func at(after string) time.Time {
	d, err := time.ParseDuration(after)
	if err != nil {
		log.Fatal(err)
	}
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(d)
}

func member(name string, all []string, snapshot, quiet, end string, leaves bool) error {
	_, err := os.Stat(snapshot)
	first := err != nil
	slog.Info("starts", "first", first)
	own, err := net.ResolveIPAddr("ip4", name)
	if err != nil {
		return err
	}
	events := make(chan serf.Event, 100)
	go hear(events)
	c := serf.DefaultConfig()
	c.NodeName, c.SnapshotPath, c.EventCh = name, snapshot, events
	c.ReconnectInterval, c.LogOutput = 2*time.Second, io.Discard
	c.MemberlistConfig = memberlist.DefaultLANConfig()
	c.MemberlistConfig.BindAddr, c.MemberlistConfig.LogOutput = own.String(), io.Discard
	c.MemberlistConfig.PushPullInterval = time.Second
	s, err := serf.Create(c)
	if err != nil {
		return fmt.Errorf("creating: %w", err)
	}
	for first && s.NumNodes() < len(all) {
		if _, err := s.Join(all, false); err != nil {
			slog.Info("not joined", "error", err)
		}
		time.Sleep(500 * time.Millisecond)
	}
	for n := 1; time.Now().Before(at(quiet)); n++ {
		event := fmt.Sprint(name, " ", time.Now().UnixMilli())
		if err := s.UserEvent("event", []byte(event), false); err != nil {
			return fmt.Errorf("sending: %w", err)
		}
		slog.Info("sent", "event", event)
		time.Sleep(2 * time.Second)
	}
	if leaves {
		if err := s.Leave(); err != nil {
			return fmt.Errorf("leaving: %w", err)
		}
		slog.Info("left")
		return s.Shutdown()
	}
	time.Sleep(time.Until(at(end)))
	for _, m := range s.Members() {
		slog.Info("sees", m.Name, m.Status)
	}
	return nil
}

// hear says which events come.
func hear(events <-chan serf.Event) {
	for e := range events {
		if u, ok := e.(serf.UserEvent); ok {
			slog.Info("heard", "event", string(u.Payload))
		}
	}
}
