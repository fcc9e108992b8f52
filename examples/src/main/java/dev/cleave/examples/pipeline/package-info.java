/**
 * Chains of calls of which each needs the result of the one before it, and the multicast of the CORD paper: values that need not pass
 * through the client.
 */
@NullMarked
package dev.cleave.examples.pipeline;

import org.jspecify.annotations.NullMarked;
