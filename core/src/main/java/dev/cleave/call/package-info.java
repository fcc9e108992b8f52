/** Calls under way: pending calls, stubs, and the one place where error codes meet exceptions. */
@NullMarked
package dev.cleave.call;

import org.jspecify.annotations.NullMarked;
