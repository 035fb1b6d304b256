// Hold works under a lock of redsync, again and again. It promises that no two of it work at a
// time: what one writes, it writes before another one has the lock.
//
//	hold redis1:6379,redis2:6379,redis3:6379          # works for less time than the lock lasts
//	hold redis1:6379,redis2:6379,redis3:6379 extend   # or extends it before each write
package main

import (
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/go-redis/redis/v8"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v8"

	pools "github.com/go-redsync/redsync/v4/redis"
)

const expiry = 4 * time.Second

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	var servers []pools.Pool
	for _, address := range strings.Split(os.Args[1], ",") {
		servers = append(servers, goredis.NewPool(redis.NewClient(&redis.Options{Addr: address})))
	}
	locks := redsync.New(servers...)
	for turn := 1; ; turn++ {
		lock := locks.NewMutex("lock", redsync.WithExpiry(expiry))
		begin := time.Now()
		if err := lock.Lock(); err != nil {
			slog.Info("not acquired", "error", err)
			time.Sleep(200 * time.Millisecond)
			continue
		}
		slog.Info("acquired", "turn", turn)
		if len(os.Args) > 2 {
			extended(lock, turn)
		} else {
			within(begin.Add(expiry*9/10), turn)
		}
		slog.Info("released", "turn", turn)
		lock.Unlock()
		time.Sleep(500 * time.Millisecond)
	}
}

// within writes while it believes that the lock has not expired, and 3.2 seconds at most.
func within(end time.Time, turn int) {
	for range 4 {
		time.Sleep(800 * time.Millisecond)
		if !time.Now().Before(end) {
			return
		}
		slog.Info("writes", "turn", turn)
	}
}

// extended writes each time that the lock is extended, and at once.
func extended(lock *redsync.Mutex, turn int) {
	for range 5 {
		time.Sleep(time.Second)
		if ok, err := lock.Extend(); !ok {
			slog.Info("lost", "turn", turn, "error", err)
			return
		}
		slog.Info("writes", "turn", turn)
	}
}
