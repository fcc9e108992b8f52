package dev.cleave.spring.test;

import dev.cleave.spring.CleaveAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * On a test class, also one with {@code @WebMvcTest} or another slice: the node has a broker of its own in this process,
 * and no port. What the application calls remotely are the beans with {@link dev.cleave.spring.CleaveService} that the
 * test has in its context; arguments and results travel as bytes, as between processes. Needs {@code
 * dev.cleave:cleave-broker} on the test's class path.
 */
@Documented
@ImportAutoConfiguration(CleaveAutoConfiguration.class)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@TestPropertySource(properties = {"cleave.in-process=true", "cleave.enabled=true"})
public @interface InProcessCleave {}
