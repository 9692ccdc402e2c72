//! A log whose chain is in order, with anything in its lines.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::chained(data));
