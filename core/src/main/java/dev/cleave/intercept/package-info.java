/** What a program may put around calls: interceptors of both sides, and carriers of context. */
@NullMarked
package dev.cleave.intercept;

import org.jspecify.annotations.NullMarked;
