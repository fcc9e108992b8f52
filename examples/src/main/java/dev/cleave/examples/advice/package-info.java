/** Programs whose calls take emulated times: {@code bin/cleave advise --all} shows with them how good its predictions are. */
@NullMarked
package dev.cleave.examples.advice;

import org.jspecify.annotations.NullMarked;
