/** Placeholder. */
package dev.cleave.jmh;
