// Redis is a stand-in of Redis: the part of it that locks and simple queues use, as a server
// that is small enough to read, for searches with real clients. README.md in the directory
// above says what is there and what is not.
//
//	ldfi run --server ./examples/standin/redis --nodes 3 --client './mine {peers:6379}' --crashes 1 --restarts 1 -- -append everysec
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"time"
)

func main() {
	log.SetFlags(0)
	address := flag.String("listen", ":6379", "the address to listen on")
	master := flag.String("replica-of", "", "the address of the server whose writes this one repeats")
	how := flag.String("append", "none", "what a restart finds: none (nothing), everysec (what was written more than a second before a crash of the machine) or always (all that was answered)")
	dir := flag.String("dir", ".", "where the file of writes is")
	after := flag.Duration("after", 0, "how long nobody is served after a start, which are the delayed restarts of Redlock")
	flag.Parse()
	db := newDB()
	if err := db.keep(*how, filepath.Join(*dir, "appendonly")); err != nil {
		log.Fatal(err)
	}
	time.Sleep(*after)
	if *master != "" {
		db.follow(*master)
	}
	l, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("serves writes=%d", len(db.writes))
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go newSession(db, c).serve()
	}
}

// keep reads what the file of writes has, and appends later writes to it.
func (db *db) keep(how, name string) error {
	if how == "none" {
		return nil
	}
	if how != "everysec" && how != "always" {
		return fmt.Errorf("-append %s: expected none, everysec or always", how)
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	whole := int64(0) // as Redis does, the start of a write at the end is cut off
	counted := &counter{r: file}
	for r := bufio.NewReader(counted); ; {
		write, err := readCommand(r)
		if err != nil || db.repeat(write) != nil {
			break
		}
		whole = counted.n - int64(r.Buffered())
	}
	if err := file.Truncate(whole); err != nil {
		return err
	}
	if _, err := file.Seek(whole, 0); err != nil {
		return err
	}
	if err := syncAll(file, filepath.Dir(name)); err != nil {
		return err
	}
	db.file, db.always = file, how == "always"
	if !db.always {
		go func() {
			for range time.Tick(time.Second) {
				if err := file.Sync(); err != nil {
					log.Print(err) // Redis tries again, too
				}
			}
		}()
	}
	return nil
}

// syncAll makes a new file and its name durable.
func syncAll(file *os.File, dir string) error {
	if err := file.Sync(); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// counter counts what is read.
type counter struct {
	r *os.File
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// follow repeats the writes of a master from its first one on, until REPLICAOF NO ONE. When it
// connects anew it forgets what it has, as a full synchronisation of Redis does.
func (db *db) follow(master string) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.master = master
	go func() {
		for db.follows(master) {
			if err := db.followOnce(master); err != nil {
				log.Printf("master %s: %v", master, err)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
}

func (db *db) followOnce(master string) error {
	c, err := net.DialTimeout("tcp", master, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Write(appendCommand(nil, []string{"REPLICATE"})); err != nil {
		return err
	}
	db.clear()
	for r := bufio.NewReader(c); db.follows(master); {
		write, err := readCommand(r)
		if err != nil {
			return err
		}
		if !db.follows(master) {
			return nil
		}
		if err := db.repeat(write); err != nil {
			return err
		}
	}
	return nil
}
