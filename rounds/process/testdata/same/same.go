// Package same has a server and a client that run as nodes and on machines of
// rounds/virtual.
package same

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"time"
)

// Serve keeps values: "put KEY VALUE" is answered by "ok", "get KEY" by the value. It tells
// what it stores.
func Serve(l net.Listener, tell func(string)) {
	values := make(chan map[string]string, 1)
	values <- map[string]string{}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			for lines := bufio.NewScanner(c); lines.Scan(); {
				words := strings.Fields(lines.Text())
				all := <-values
				answer := "ok"
				switch {
				case len(words) == 3 && words[0] == "put":
					all[words[1]] = words[2]
					tell(fmt.Sprintf("stores %s=%s", words[1], words[2]))
				case len(words) == 2 && words[0] == "get":
					answer = all[words[1]]
				default:
					answer = "what?"
				}
				values <- all
				if _, err := fmt.Fprintln(c, answer); err != nil {
					return
				}
			}
		}()
	}
}

// Load stores values at two servers in turn, and asks for them. It goes on after errors,
// with a connection of its own each time.
func Load(dial func(address string) (net.Conn, error), servers []string, tell func(string)) {
	for i := range 6 {
		for j, server := range servers {
			answer, err := ask(dial, server, fmt.Sprintf("put k%d v%d-%d", i%2, i, j))
			tell(fmt.Sprintf("put %d %d: %q %v", i, j, answer, err != nil))
			answer, err = ask(dial, server, fmt.Sprintf("get k%d", (i+1)%2))
			tell(fmt.Sprintf("get %d %d: %q %v", i, j, answer, err != nil))
		}
		time.Sleep(35 * time.Millisecond)
	}
}

func ask(dial func(address string) (net.Conn, error), server, line string) (string, error) {
	c, err := dial(server)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(95 * time.Millisecond)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(c, line); err != nil {
		return "", err
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(answer), err
}
