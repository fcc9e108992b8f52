/**
 * Large values on their way: chunk by chunk, one message's after another's, as far as the receiver grants credit.
 * Used by whoever has a connection; knows no calls.
 */
@NullMarked
package dev.cleave.stream;

import org.jspecify.annotations.NullMarked;
