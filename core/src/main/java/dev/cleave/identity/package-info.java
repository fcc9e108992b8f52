/** Signed tokens: identities of peers that have no certificate. */
@NullMarked
package dev.cleave.identity;

import org.jspecify.annotations.NullMarked;
