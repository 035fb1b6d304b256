// Check ends with status 1 if two servers have different values. It is started when nothing
// fails any more. A server that does not answer is down.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	client := http.Client{Timeout: 200 * time.Millisecond}
	has := map[string]string{}
	for _, server := range strings.Split(os.Args[1], ",") {
		answer, err := client.Get("http://" + server + "/x")
		if err != nil {
			log.Printf("%s is down", server)
			continue
		}
		value, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			log.Fatalf("%s: %v", server, err)
		}
		if answer.StatusCode != http.StatusOK {
			value = []byte("nothing")
		}
		has[string(value)] = server
	}
	if len(has) > 1 {
		log.Fatalf("%s has 1, and %s has nothing", has["1"], has["nothing"])
	}
}
