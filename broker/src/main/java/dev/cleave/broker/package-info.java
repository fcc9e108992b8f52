/** Placeholder. */
package dev.cleave.broker;
