// Hold works under a lock of Consul's client, again and again. It promises that no two of it
// work at a time: what one writes, it writes before another one has the lock.
//
//	hold store:8080
package main

import (
	"log/slog"
	"os"
	"time"

	"github.com/hashicorp/consul/api"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	client, err := api.NewClient(&api.Config{Address: os.Args[1]})
	if err != nil {
		slog.Error("no client", "error", err)
		os.Exit(1)
	}
	for turn := 1; ; turn++ {
		lock, err := client.LockOpts(&api.LockOptions{Key: "lock", SessionTTL: "10s", LockDelay: time.Second})
		if err != nil {
			slog.Error("no lock", "error", err)
			os.Exit(1)
		}
		lost, err := lock.Lock(nil)
		if err != nil {
			slog.Info("not acquired", "error", err)
			time.Sleep(time.Second)
			continue
		}
		slog.Info("acquired", "turn", turn)
		work(lost, turn)
		slog.Info("released", "turn", turn)
		if err := lock.Unlock(); err != nil {
			slog.Info("not unlocked", "error", err)
		}
		time.Sleep(2 * time.Second)
	}
}

// work writes each second, for 40 seconds or until the client says that the lock is lost.
func work(lost <-chan struct{}, turn int) {
	for range 40 {
		select {
		case <-lost:
			slog.Info("lost", "turn", turn)
			return
		case <-time.After(time.Second):
			slog.Info("writes", "turn", turn)
		}
	}
}
