// Load puts a value on the first server that takes it, and asks all of them for it later. It
// ends with status 1 if the value was acknowledged and those that answer do not have it.
package main

import (
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var client = http.Client{Timeout: 200 * time.Millisecond}

func main() {
	servers := strings.Split(os.Args[1], ",")
	if !put(servers) {
		return // no promise was made
	}
	log.Print("acknowledged")
	time.Sleep(250 * time.Millisecond)
	lost := false
	for range 2 {
		answered, has := ask(servers)
		if has {
			return
		}
		lost = lost || answered
		time.Sleep(50 * time.Millisecond)
	}
	if lost {
		log.Fatal("what was acknowledged is lost")
	}
}

func put(servers []string) bool {
	for _, server := range servers {
		r, err := http.NewRequest("PUT", "http://"+server+"/x", strings.NewReader("1"))
		if err != nil {
			log.Fatal(err)
		}
		answer, err := client.Do(r)
		if err != nil {
			continue
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	}
	return false
}

// ask asks all servers for the value.
func ask(servers []string) (answered, has bool) {
	for _, server := range servers {
		answer, err := client.Get("http://" + server + "/x")
		if err != nil {
			continue
		}
		answer.Body.Close()
		answered = true
		if answer.StatusCode == http.StatusOK {
			has = true
		} else {
			log.Printf("%s does not have it", server)
		}
	}
	return answered, has
}
