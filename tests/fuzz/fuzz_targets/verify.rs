//! A log whose chain is in order, whatever its lines hold.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::verify(data));
