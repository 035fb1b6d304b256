// Register is a register with a copy, and its client. The first server takes writes, and
// sends them to the second, the copy, which takes reads. With the argument hasty a write is
// acknowledged even if the copy does not answer, which is the bug.
//
// It has no checks of its own; what is true is told by package ldfi/client.
package main

import (
	"bufio"
	"fmt"
	"log"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/client"
)

const timeout = 200 * time.Millisecond // of the copy; a client waits longer

func main() {
	switch os.Args[1] {
	case "load":
		load(strings.Split(os.Args[2], ","))
	case "misuse":
		client.Fact("exit", 0)
		select {}
	default:
		serve(os.Args[1] == "hasty", os.Args[2] == "n1")
	}
}

// serve keeps the register; a write is a number above that of the last.
func serve(hasty, first bool) {
	l, err := net.Listen("tcp", ":80")
	if err != nil {
		log.Fatal(err)
	}
	last := 0
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		line, _ := bufio.NewReader(c).ReadString('\n')
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil { // a read
			fmt.Fprintln(c, last)
			c.Close()
			continue
		}
		client.Always(n <= last+1, "no write is passed over")
		client.Sometimes(n < last, "a write comes late")
		client.Fact("stores", n)
		slog.Info("stored", "value", n, "before", last)
		last = n
		answer := "ok"
		if first {
			if _, err := ask("n2:80", line, timeout); err != nil {
				slog.Warn("the copy does not answer", "error", err)
				if !hasty {
					answer = "unknown"
				}
			}
		}
		fmt.Fprintln(c, answer)
		c.Close()
	}
}

// pause lets a round pass: what is asked in the round of an answer is concurrent with it.
const pause = 10 * time.Millisecond

// load writes to the first server and reads from the second.
func load(servers []string) {
	for i := 1; i <= 4; i++ {
		id := client.Request(i)
		if answer, err := ask(servers[0], fmt.Sprintln(i), 3*timeout); err == nil && answer == "ok" {
			client.Reply(id, answer)
		}
		time.Sleep(pause)
		id = client.Request("read")
		if answer, err := ask(servers[1], "read\n", 3*timeout); err == nil {
			client.Reply(id, answer)
		}
		time.Sleep(pause)
	}
	fmt.Print("all is asked") // what the client tells is no part of this line
	client.Fact("done", "all", -1, []int{1, 2}, 0.5)
	fmt.Println(" and answered")
}

func ask(server, line string, timeout time.Duration) (string, error) {
	c, err := net.DialTimeout("tcp", server, timeout)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(timeout)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprint(c, line); err != nil {
		return "", err
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(answer), err
}
