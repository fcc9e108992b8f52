/**
 * Values to bytes and back: which types a remote interface allows, their numbers on a connection, and Kryo behind
 * bounds. Knows no calls and no references.
 */
@NullMarked
package dev.cleave.serial;

import org.jspecify.annotations.NullMarked;
