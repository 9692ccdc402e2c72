//! A server that takes bots, and requests to it.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use minreq::{Method, Request, Response};
use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::running::wait_or_say;
use tests::served::Served;

/// A served league, and what it is asked.
pub(super) struct Server {
    pub(super) bench: Bench,
    served: Served,
    requests: AtomicU32,
}

impl Server {
    /// Serves the league `class` of a bench.
    pub(super) fn start(bench: Bench) -> Server {
        Server::start_with(bench, &[])
    }

    /// Serves it with these further words.
    pub(super) fn start_with(bench: Bench, words: &[&str]) -> Server {
        let served = Served::start(&bench, &[&["class", "--submit"], words].concat());
        Server { bench, served, requests: AtomicU32::new(0) }
    }

    /// Kills the server, and gives what it has served.
    pub(super) fn ended(self) -> Bench {
        drop(self.served);
        self.bench
    }

    /// Ends the server as Ctrl-C does, and gives what it has served.
    pub(super) fn interrupted(mut self) -> Bench {
        self.served.process().signal(Signal::INT);
        assert!(self.served.process().wait().success());
        self.bench
    }

    /// The address to connect to.
    pub(super) fn host(&self) -> String {
        self.served.address().trim_start_matches("http://").trim_end_matches('/').to_owned()
    }

    /// The token of a new participant.
    pub(super) fn invite(&self, name: &str) -> String {
        let told = self.bench.succeed(["league", "invite", "class", name]);
        let token = told.trim_end().strip_prefix(&format!("{name}: ")).expect("a token");
        assert_eq!(token.len(), 64);
        token.to_owned()
    }

    /// A request below `hand-in/`, which follows no redirection.
    pub(super) fn request(&self, method: Method, path: &str) -> Request {
        self.at(method, &format!("hand-in/{path}"))
    }

    /// A request to any page of the league, which follows no redirection.
    pub(super) fn at(&self, method: Method, path: &str) -> Request {
        let url = format!("{}{path}", self.served.address());
        // Each comes from another address, so that none comes too often.
        let [_, high, middle, low] = self.requests.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let from = format!("192.{high}.{middle}.{low}");
        let request = Request::new(method, url).with_follow_redirects(false).with_timeout(120);
        request.with_header("X-Forwarded-For", from)
    }

    /// The response to a program with a token.
    pub(super) fn get(&self, path: &str, token: &str) -> Response {
        let request = self.request(Method::Get, path).with_header("Authorization", bearer(token));
        request.send().expect("an answer")
    }

    /// Sends a file as a program does.
    pub(super) fn send(&self, token: &str, file: &str, content: &[u8]) -> Response {
        let request = self.request(Method::Post, &format!("?file={file}"));
        let request = request.with_header("Authorization", bearer(token)).with_body(content);
        request.send().expect("an answer")
    }

    /// Sends a file, which is taken in, and gives what became of it.
    pub(super) fn hand_in(&self, token: &str, file: &str, content: &[u8]) -> Value {
        let taken = self.send(token, file, content);
        assert_eq!(taken.status_code, 202, "{:?}", taken.as_str());
        let number = json(&taken)["number"].as_u64().expect("a number");
        self.decided(token, number)
    }

    /// The result of a submission, once it is decided.
    pub(super) fn decided(&self, token: &str, number: u64) -> Value {
        let mut told = Value::Null;
        wait_or_say(
            || {
                let answer = self.get(&format!("submissions/{number}"), token);
                assert_eq!(answer.status_code, 200, "{:?}", answer.as_str());
                told = json(&answer);
                !matches!(told["verdict"].as_str(), Some("waiting" | "checking"))
            },
            || format!("submission {number} is decided"),
        );
        told
    }

    /// The most memory that the server has had, in KiB.
    pub(super) fn peak(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.served.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }
}

pub(super) fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

pub(super) fn json(answer: &Response) -> Value {
    let text = answer.as_str().expect("text");
    serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {text}"))
}

/// The reason why a request was refused, with this status.
pub(super) fn refusal(answer: &Response, status: i32) -> String {
    assert_eq!(answer.status_code, status, "{:?}", answer.as_str());
    json(answer)["error"].as_str().expect("a reason").to_owned()
}
