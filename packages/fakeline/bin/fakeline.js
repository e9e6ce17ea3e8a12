#!/usr/bin/env node
import '../dist/bin/fakeline.js';
