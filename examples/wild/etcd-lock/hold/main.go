// Hold works under a lock of etcd's package concurrency, again and again, while its session
// lasts as far as it knows. With "fenced" a write is a transaction of etcd that asks whether
// the key of the lock is still there (Mutex.IsOwner); without, it is one to somewhere else.
//
//	hold n1:2379 [fenced]
package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.uber.org/zap"
)

// patience is for how long an answer is waited for.
const patience = 2 * time.Second

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	c, err := clientv3.New(clientv3.Config{Endpoints: strings.Split(os.Args[1], ","), Logger: zap.NewNop(), DialTimeout: patience})
	if err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	for turn := 1; ; turn++ {
		if err := hold(c, turn, len(os.Args) > 2); err != nil {
			slog.Info("not held", "turn", turn, "error", err)
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// hold works for a turn.
func hold(c *clientv3.Client, turn int, fenced bool) error {
	soon, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lease, err := c.Grant(soon, 4)
	if err != nil {
		return err
	}
	session, err := concurrency.NewSession(c, concurrency.WithTTL(4), concurrency.WithLease(lease.ID))
	if err != nil {
		return err
	}
	defer session.Close()
	lock := concurrency.NewMutex(session, "lock")
	long, cancel := context.WithTimeout(context.Background(), 10*patience)
	defer cancel()
	if err := lock.Lock(long); err != nil {
		return err
	}
	slog.Info("acquired", "turn", turn)
	slog.Info("owns", lock.Key(), lock.Header().Revision)
	for range 4 {
		time.Sleep(800 * time.Millisecond)
		select {
		case <-session.Done():
			return errors.New("the session has ended")
		default:
		}
		if fenced {
			soon, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			answer, err := c.Txn(soon).If(lock.IsOwner()).Then(clientv3.OpPut("written", "by all")).Commit()
			if err != nil {
				return err
			}
			if !answer.Succeeded {
				return errors.New("the lock is lost")
			}
			slog.Info("written", lock.Key(), answer.Header.Revision)
		}
		slog.Info("writes", "turn", turn)
	}
	soon, cancel = context.WithTimeout(context.Background(), patience)
	defer cancel()
	return lock.Unlock(soon)
}
