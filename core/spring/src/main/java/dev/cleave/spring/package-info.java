/**
 * Cleave in Spring Boot 3.5 and 4: {@link dev.cleave.spring.CleaveService} serves a bean, {@link
 * dev.cleave.spring.CleaveReference} injects a stub. Users begin here.
 */
@NullMarked
package dev.cleave.spring;

import org.jspecify.annotations.NullMarked;
