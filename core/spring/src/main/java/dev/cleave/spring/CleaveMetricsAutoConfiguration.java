package dev.cleave.spring;

import dev.cleave.node.Node;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Hands the figures of the node to Micrometer, where that is on the class path. */
@AutoConfiguration(after = CleaveAutoConfiguration.class)
@ConditionalOnBean(Node.class)
@ConditionalOnClass(MeterBinder.class)
public class CleaveMetricsAutoConfiguration {

    @Bean
    MeterBinder cleaveMeters(Node node) {
        return new NodeMeters(node);
    }
}
