/**
 * How bytes move between two peers: connect, listen, write frames, receive frames. Knows no calls. Implementations
 * live in the packages below; each passes the one contract test.
 */
@NullMarked
package dev.cleave.transport;

import org.jspecify.annotations.NullMarked;
