//! A proxy on this machine that can be broken and mended.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Answer of a proxy that finds no server behind it.
const BROKEN: &str = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// A proxy that passes bytes on, on a free port.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    /// The host and port of the server.
    behind: String,
    is_broken: AtomicBool,
    is_over: AtomicBool,
    refused: AtomicUsize,
    open: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// A proxy for the server at this address, `http://HOST:PORT/`.
    pub fn start(address: &str) -> Proxy {
        let behind = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(State {
            behind,
            is_broken: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            refused: AtomicUsize::new(0),
            open: Mutex::default(),
        });
        let own = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if own.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let state = Arc::clone(&own);
                // A connection that breaks is what this is for.
                thread::spawn(move || drop(state.serve(client)));
            }
        });
        Proxy { address, state }
    }

    /// The address of the first page, which ends in a slash.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Cuts all connections, and answers each request with 502 from now on.
    pub fn break_down(&self) {
        let mut open = self.state.open.lock().unwrap_or_else(PoisonError::into_inner);
        self.state.is_broken.store(true, Ordering::SeqCst);
        for stream in open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Passes requests on again.
    pub fn mend(&self) {
        self.state.is_broken.store(false, Ordering::SeqCst);
    }

    /// Number of requests answered with 502.
    pub fn refused(&self) -> usize {
        self.state.refused.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::SeqCst);
        self.break_down();
        // Its thread looks once more.
        let _ = TcpStream::connect(self.address);
    }
}

impl State {
    fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_broken.load(Ordering::SeqCst) {
            drop(open);
            return self.refuse(client);
        }
        let mut server = TcpStream::connect(&self.behind)?;
        let mut open = open;
        open.push(client.try_clone()?);
        open.push(server.try_clone()?);
        drop(open);
        let (mut answers, mut reader) = (server.try_clone()?, client.try_clone()?);
        let back = thread::spawn(move || {
            let _ = io::copy(&mut answers, &mut reader);
            let _ = reader.shutdown(Shutdown::Both);
        });
        let _ = io::copy(&mut client, &mut server);
        let _ = server.shutdown(Shutdown::Both);
        let _ = back.join();
        Ok(())
    }

    fn refuse(&self, mut client: TcpStream) -> io::Result<()> {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            if client.read(&mut byte)? == 0 {
                // A browser opens connections that it does not use.
                return Ok(());
            }
            head.extend(byte);
        }
        client.write_all(BROKEN.as_bytes())?;
        self.refused.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}
