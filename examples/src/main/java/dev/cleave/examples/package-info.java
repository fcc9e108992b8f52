/** Placeholder. */
package dev.cleave.examples;
