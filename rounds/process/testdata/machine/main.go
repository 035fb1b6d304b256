// Machine asks its machine for what servers ask theirs.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"os/user"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"syscall"
	"time"
	_ "unsafe"
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "listens":
			listens()
		case "dials":
			dials(os.Args[2:]...)
		}
		goesOn()
	}
	clocks()
	names()
	texts()
	standard()
	for _, network := range []string{"unix", "unixpacket"} {
		sockets(network)
	}
	datagrams()
	signals()
	os.NewFile(3, "the socket to the driver").Close()
	fmt.Println("profile", pprof.StartCPUProfile(io.Discard))
	fmt.Println("trace", trace.Start(io.Discard))
	runtime.SetCPUProfileRate(100)
	sampled()
}

// goesOn leaves main, and then ends itself by a signal.
func goesOn() {
	go func() {
		time.Sleep(20 * time.Millisecond)
		fmt.Println("goes on")
		_ = syscall.Kill(os.Getpid(), syscall.SIGCHLD)
		time.Sleep(20 * time.Millisecond)
		fmt.Println("ends itself")
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(time.Hour)
	}()
	runtime.Goexit()
}

func clocks() {
	var day syscall.Timeval
	var used syscall.Tms
	err := syscall.Gettimeofday(&day)
	ticks, err2 := syscall.Times(&used)
	group, err3 := syscall.Getpgid(0)
	fmt.Println("clocks", nanotime(), day.Sec, err, ticks, used, err2, group, err3)
	temporary, err := os.MkdirTemp("", "x")
	fmt.Println("temporary", temporary, err)
}

func names() {
	for _, name := range []string{"lo", "eth0", "en0"} {
		i, err := net.InterfaceByName(name)
		fmt.Println("interface", i, err)
	}
	i, err := net.InterfaceByIndex(2)
	fmt.Println("interface", i, err)
	ips, err := net.LookupHost("N1")
	fmt.Println("N1", ips, err)
	root, err := user.Lookup("root")
	fmt.Println("root", root, err)
}

func texts() {
	for _, file := range []string{"/proc/self/stat", "/proc/1000/stat", "/proc/meminfo", "/proc/self/cgroup", "/etc/os-release", "/sys/devices/system/cpu/cpu0/topology/core_id"} {
		text, err := os.ReadFile(file)
		fmt.Println(file, strings.Fields(string(text) + " -")[0], err, os.WriteFile(file, nil, 0o600))
	}
	configured()
}

// standard lets the standard error be a file.
func standard() {
	f, err := os.Create("errors")
	fmt.Println("errors", err, syscall.Dup3(int(f.Fd()), 2, 0))
	fmt.Fprintln(os.Stderr, "one")
	n, err := syscall.Write(2, []byte("two\n"))
	fmt.Println("written", n, err)
	text, err := os.ReadFile("errors")
	fmt.Printf("errors %q %v\n", text, err)
	_, _, errno := syscall.Syscall(syscall.SYS_FCNTL, 2, syscall.F_GETFD, 0)
	fmt.Println("flags", errno)
	_, _ = syscall.Write(1, []byte("raw output\n"))
	out, err := os.OpenFile("/dev/stdout", os.O_WRONLY|os.O_APPEND, 0)
	fmt.Fprintln(out, "by a device", err)
}

func sockets(network string) {
	name := network + ".sock"
	_, err := net.Dial(network, name)
	fmt.Println(network, "nobody:", err)
	l, err := net.Listen(network, name)
	s, err2 := os.Stat(name)
	fmt.Println(network, err, s.Mode(), err2, os.Chmod(name, 0o600))
	go func() {
		c, _ := l.Accept()
		_, _ = io.Copy(c, c)
	}()
	c, err := net.Dial(network, "/data/"+name)
	fmt.Fprint(c, "hello")
	b := make([]byte, 5)
	_, err2 = c.Read(b)
	_, again := net.Listen(network, name)
	_, opened := os.Open(name)
	fmt.Println(network, string(b), err, err2, again, opened)
	raw, err := l.(*net.UnixListener).SyscallConn()
	_ = raw.Control(func(fd uintptr) { _, err2 = syscall.Dup(int(fd)) })
	fmt.Println(network, "again:", err, err2)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	_, err = net.Dial(network, name)
	_, err2 = net.Listen(network, name)
	fmt.Println(network, "left:", err, err2, os.Remove(name))
	_, err = net.Listen(network, name)
	fmt.Println(network, err, os.Rename("errors", name), os.Remove(name))
	_, _ = os.Create("errors")
}

func datagrams() {
	_, err := net.Dial("unixgram", "/dev/log")
	l, err2 := net.ListenPacket("unixgram", "log")
	c, err3 := net.Dial("unixgram", "/data/log")
	fmt.Fprint(c, "hello")
	b := make([]byte, 5)
	_, _, err4 := l.ReadFrom(b)
	fmt.Println("unixgram", err, err2, err3, err4, string(b))
}

func signals() {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGHUP)
	err := syscall.Kill(os.Getpid(), syscall.SIGHUP)
	fmt.Println("signal", err, <-got, syscall.Kill(os.Getpid(), syscall.SIGSTOP))
	signal.Stop(got)
	time.Sleep(20 * time.Millisecond)
	fmt.Println("takes no signals, and goes on", len(got))
}

// configured has what machines are configured with, each in its own way.
func configured() {
	for _, file := range []string{"/etc/hosts", "/etc/resolv.conf", "/etc/localtime"} {
		text, err := os.ReadFile(file)
		fmt.Printf("configured %s %q %v\n", file, text, err)
	}
	records, err := net.LookupTXT("example.com")
	fmt.Println("configured", records, err)
}

// listens has ports by IPv4 and by IPv6, in either order, and once more.
func listens() {
	for port, networks := range map[string][]string{":7001": {"tcp4", "tcp6", "tcp6"}, ":7002": {"tcp6", "tcp4", "tcp4"}, ":7003": {"tcp", "tcp4", "tcp"}} {
		for _, network := range networks {
			l, err := net.Listen(network, port)
			fmt.Println("listens", port, network, err)
			if err != nil {
				continue
			}
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					fmt.Fprint(c, network)
					c.Close()
				}
			}()
		}
		for _, host := range []string{"127.0.0.1", "[::1]"} {
			dials(host + port)
		}
	}
	select {}
}

// dials says what answers at addresses.
func dials(addresses ...string) {
	for _, a := range addresses {
		c, err := net.Dial("tcp", a)
		if err != nil {
			fmt.Println("dials", a, err)
			continue
		}
		text, err := io.ReadAll(c)
		fmt.Println("dials", a, string(text), err)
		c.Close()
	}
	if len(addresses) > 1 {
		os.Exit(0)
	}
}

// sampled says how often a sample of the memory was taken.
func sampled() {
	var all [][]byte
	for range 10000 {
		all = append(all, make([]byte, 1000))
	}
	n, _ := runtime.MemProfile(nil, true)
	fmt.Println("sampled", len(all), n)
}
